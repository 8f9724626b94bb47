import { makeThumbnail } from './thumbnail-process.ts'

await makeThumbnail()
