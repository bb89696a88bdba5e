// A Bitcoin node on regtest, in memory: JSON-RPC at the first port, an Electrum server at the second, and at the third what
// the tests have it do. It is a program of its own, because its packages are installed beside it.
const Module = require('node:module')
const load = Module._load
// It keeps nothing on a disk, and its store is not compiled.
Module._load = function (name, ...rest) {
  return name === 'leveldown' ? function () {} : load.call(this, name, ...rest)
}
process.env.NODE_BACKEND = 'js'
const { createHash } = require('node:crypto')
const { createServer } = require('node:http')
const net = require('node:net')
const bcoin = require('bcoin')

const [rpcPort, electrumPort, controlPort, peerPort] = process.argv.slice(2).map(Number)
const node = new bcoin.FullNode({
  network: 'regtest',
  memory: true,
  listen: false,
  port: peerPort,
  httpPort: rpcPort,
  httpHost: '127.0.0.1',
  apiKey: 'a-password',
  workers: false,
  logConsole: false,
  env: false,
  argv: false,
})
const ring = bcoin.KeyRing.generate('regtest')
const address = ring.getAddress()
/** Takes nothing from the pool, and mines on any block. */
const branch = new bcoin.Miner({ network: 'regtest', chain: node.chain }).cpu
const coins = []
/** By id what it spends, and the transaction. */
const sent = new Map()

const mine = async (times) => {
  for (; times > 0; times -= 1) {
    const block = await node.miner.mineBlock(node.chain.tip, address)
    if (!(await node.chain.add(block))) throw new Error('not mined')
  }
}
const spend = async (coin, outputs) => {
  const mtx = new bcoin.MTX()
  for (const [script, value] of outputs) mtx.addOutput(bcoin.Script.fromRaw(script, 'hex'), value)
  mtx.addCoin(coin)
  const rest = coin.value - outputs.reduce((sum, [, value]) => sum + value, 0) - 10000
  mtx.addOutput(address, rest)
  mtx.sign(ring)
  const tx = mtx.toTX()
  const missing = await node.mempool.addTX(tx)
  if (missing && missing.length) throw new Error('orphan')
  sent.set(tx.txid(), { coin, tx })
  return tx.txid()
}
const drop = async (id) => {
  const entry = node.mempool.getEntry(sent.get(id).tx.hash('hex'))
  if (entry) node.mempool.evictEntry(entry)
}
const acts = {
  mine: ({ times }) => mine(times),
  pay: ({ outputs }) => spend(coins.shift(), outputs),
  drop: ({ id }) => drop(id),
  /** The same coin goes elsewhere. */
  async replace({ id, outputs }) {
    await drop(id)
    return spend(sent.get(id).coin, outputs)
  },
  /** A longer branch of empty blocks: the last blocks leave the best chain, and what they held waits again, or is spent elsewhere. */
  async reorganise({ depth, spends = [] }) {
    let tip = await node.chain.getEntryByHeight(node.chain.height - depth)
    for (let left = depth + 1; left > 0; left -= 1) {
      const block = await branch.mineBlock(tip, address)
      tip = await node.chain.add(block)
      if (!tip) throw new Error('not mined')
    }
    for (const id of spends) {
      await drop(id)
      await spend(sent.get(id).coin, [])
    }
    // What is in a block, or spent elsewhere, is refused.
    for (const { tx } of sent.values()) await node.mempool.addTX(tx).catch(() => {})
  },
}

const scriptHash = (script) => createHash('sha256').update(script.toRaw()).digest().reverse().toString('hex')
/** All of it is read each time: a regtest chain is short. */
async function historyOf(wanted) {
  const pays = (tx) => tx.outputs.some(({ script }) => scriptHash(script) === wanted)
  const found = []
  for (let height = 0; height <= node.chain.height; height += 1)
    for (const tx of (await node.chain.getBlock(await node.chain.getHash(height))).txs)
      if (pays(tx)) found.push({ tx_hash: tx.txid(), height })
  for (const entry of node.mempool.map.values())
    if (pays(entry.tx)) found.push({ tx_hash: entry.tx.txid(), height: 0, fee: 1 })
  return found
}
const headerAt = async (height) =>
  (await node.chain.getBlock(await node.chain.getHash(height))).toHeaders().toRaw().toString('hex')
const answers = {
  'server.version': () => ['a test', '1.4'],
  'blockchain.block.header': ([height]) => headerAt(height),
  'blockchain.headers.subscribe': async () => ({
    height: node.chain.height,
    hex: await headerAt(node.chain.height),
  }),
  'blockchain.scripthash.get_history': ([wanted]) => historyOf(wanted),
  async 'blockchain.transaction.get'([id]) {
    const known = sent.get(id)
    if (!known) throw new Error('unknown')
    return known.tx.toRaw().toString('hex')
  },
}

async function answerEach(lines, socket) {
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    const answer = await Promise.resolve()
      .then(() => answers[method](params))
      .then(
        (result) => ({ id, result }),
        (error) => ({ id, error: { code: 1, message: error.message } }),
      )
    socket.write(`${JSON.stringify(answer)}\n`)
  }
}

net
  .createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      text += data
      const lines = text.split('\n')
      text = lines.pop()
      void answerEach(lines, socket)
    })
  })
  .listen(electrumPort, '127.0.0.1')

async function answerControl(request, response) {
  let body = ''
  for await (const piece of request) body += piece
  const { act, ...given } = JSON.parse(body)
  const answer = await acts[act](given).then(
    (result) => ({ result: result ?? null }),
    (error) => ({ error: String(error && error.stack) }),
  )
  response.end(JSON.stringify(answer))
}

createServer((request, response) => void answerControl(request, response)).listen(controlPort, '127.0.0.1')

void (async () => {
  await node.open()
  await branch.miner.open()
  await mine(160)
  for (let height = 1; height <= 55; height += 1) {
    const [tx] = (await node.chain.getBlock(await node.chain.getHash(height))).txs
    coins.push(bcoin.Coin.fromTX(tx, 0, height))
  }
  process.stdout.write('ready\n')
})()
process.on('disconnect', () => process.exit())
