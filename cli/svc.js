#!/usr/bin/env node
import { runOnNode24 } from './start/node-guard.js'

runOnNode24(() => import('./main.ts'))
