#!/usr/bin/env node
import { runOnNode24 } from './node-guard.js'

runOnNode24(() => import('./main.ts'))
