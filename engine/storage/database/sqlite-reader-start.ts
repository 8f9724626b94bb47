import { startReader } from './sqlite-reader.ts'

startReader()
