// SPDX-License-Identifier: MIT
// speedscope.js PACKAGE ORIGINAL EXPORTED: reads EXPORTED with the importer of the npm package speedscope, and holds
// the events of each thread and how long they take against what stands in ORIGINAL.
'use strict'

const fs = require('fs')
const path = require('path')
const vm = require('vm')

// The package is a page with one script, whose importer has no name of its own: it is found by what it logs, and its
// module is set up by the function that comes behind it. The page itself stops for want of a window.
function loadImporter(folder) {
  const release = path.join(folder, 'dist', 'release')
  const script = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name))
  const source = fs.readFileSync(path.join(release, script), 'utf8')
  const call = /"Importing as Trace Event Format profile"\),([\w$]+)\(/.exec(source)
  if (call === null) throw new Error('the importer of trace events is not where it was')
  const at = source.indexOf(`function ${call[1]}(`)
  const setUp = /[,\s]([\w$]+)=[\w$]+\(\(\)=>\{"use strict";/.exec(source.slice(at))
  if (at < 0 || setUp === null) throw new Error('the importer of trace events is not what it was')
  const named = `globalThis.importTrace=trace=>{${setUp[1]}();return ${call[1]}(trace)};`
  const context = vm.createContext({ console, TextDecoder, TextEncoder, setTimeout })
  try {
    vm.runInContext(source.slice(0, at) + named + source.slice(at), context)
  } catch (error) {
    if (typeof context.importTrace !== 'function') throw error
  }
  return context.importTrace
}

function read(file) {
  const trace = JSON.parse(fs.readFileSync(file, 'utf8'))
  return Array.isArray(trace) ? { traceEvents: trace } : trace
}

// By thread: how many events, and the sum of their durations in microseconds.
function sumUp(trace) {
  const sums = new Map()
  for (const event of trace.traceEvents.filter((each) => each.ph === 'X')) {
    const key = `(pid ${event.pid})`
    const thread = `(tid ${event.tid})`
    const sum = sums.get(key + thread) || { pid: key, tid: thread, count: 0, total: 0 }
    sum.count++
    sum.total += event.dur
    sums.set(key + thread, sum)
  }
  return [...sums.values()]
}

function sumUpProfile(profile) {
  const open = []
  const sum = { name: profile.getName(), count: 0, total: 0 }
  profile.forEachCall(
    (node, value) => {
      sum.count++
      open.push(value)
    },
    (node, value) => {
      sum.total += value - open.pop()
    },
  )
  return sum
}

const [folder, original, exported] = process.argv.slice(2)
const importTrace = loadImporter(folder)
const wanted = sumUp(read(original))
const found = importTrace(read(exported)).profiles.map(sumUpProfile)
let bad = wanted.length === 0 || found.length !== wanted.length
for (const each of wanted) {
  const same = found.filter((profile) => profile.name.includes(each.pid) && profile.name.includes(each.tid))
  const ok =
    same.length === 1 && same[0].count === each.count && Math.abs(same[0].total - each.total) <= 1e-6 + 1e-9 * each.total
  if (!ok) console.log(`expected ${JSON.stringify(each)}, found ${JSON.stringify(same)}`)
  bad = bad || !ok
}
process.exit(bad ? 1 : 0)
