/*
 * The first code of the binary: runs the program, which it carries as a text, with what V8 made of it when a server
 * answered its first request. Node's own code cache of a single executable only knows functions that V8 compiles
 * before it runs anything; with this one hardly any function of a start has to be compiled. Both are packed: what is
 * read of the binary counts as memory of the process for as long as it runs.
 */
const { getAssetKeys, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')
const { zstdDecompressSync } = require('node:zlib')

/** Larger than what is unpacked, which is then not put together of parts. */
const ONE_PART = 32 * 1024 * 1024

const unpacked = (name) => zstdDecompressSync(getRawAsset(name), { chunkSize: ONE_PART })

const source = unpacked('program/svc.js').latin1Slice()
const known = getAssetKeys().includes('program/svc.cache')
const script = new Script(source, {
  filename: 'svc.js',
  ...(known ? { cachedData: unpacked('program/svc.cache') } : {}),
})
script.runInThisContext()(exports, require, module, __filename)
