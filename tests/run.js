import { runOnNode24 } from '../cli/node-guard.js'

runOnNode24(() => import('./runner/main.ts'))
