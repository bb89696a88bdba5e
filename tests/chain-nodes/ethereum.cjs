// A development chain of Ethereum at the port that is given. It makes a block every so many seconds as is given; without
// it, only when it is told to.
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
