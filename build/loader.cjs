/*
 * The first code of the binary: runs the program, which it carries as a text, with what V8 made of it when a server
 * answered its first request. Node's own code cache of a single executable only knows functions that V8 compiles
 * before it runs anything; with this one hardly any function of a start has to be compiled.
 */
const { getAssetKeys, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

const source = Buffer.from(getRawAsset('program/svc.js')).toString()
const known = getAssetKeys().includes('program/svc.cache')
const script = new Script(source, {
  filename: 'svc.js',
  ...(known ? { cachedData: Buffer.from(getRawAsset('program/svc.cache')) } : {}),
})
script.runInThisContext()(exports, require, module, __filename)
