#!/usr/bin/env node
import { runOnNode24 } from '../cli/node-guard.js'

runOnNode24(() => import('./main.ts'))
