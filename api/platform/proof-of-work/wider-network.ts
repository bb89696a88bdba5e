/**
 * Returns the /48 that contains a client's IPv6 /64: many providers assign it to one customer, who then has 65,536 of
 * them. Undefined for other clients: IPv4 addresses are not assigned in blocks to everyone.
 */
export function widerNetworkOf(client: string): string | undefined {
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(client)
  return groups ? `${groups[1]}::/48` : undefined
}
