import { runOnNode24 } from '../cli/start/node-guard.js'

runOnNode24(() => import('./runner/main.ts'))
