// Starts an Ethereum development chain: `ethereum.cjs <port> [block time in seconds]`. Without a block time, the chain
// makes a block only on request.
const ganache = require('ganache')
const [port, blockTime = 100_000] = process.argv.slice(2).map(Number)
const server = ganache.server({
  logging: { quiet: true },
  chain: { chainId: 1337 },
  // A sample that everyone knows.
  wallet: { mnemonic: `${'test '.repeat(11)}junk`, totalAccounts: 20 },
  miner: { blockTime },
})
server.listen(port, '127.0.0.1').then(
  () => process.stdout.write('ready\n'),
  (error) => {
    console.error(error.message)
    process.exit(1)
  },
)
process.on('disconnect', () => process.exit())
