import { checkOnStdin } from './definition-check.ts'

await checkOnStdin()
