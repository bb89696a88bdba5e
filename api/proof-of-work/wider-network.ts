/**
 * Of a client that is the /64 of an IPv6 address, the /48 that it lies in: what many providers give to one customer, who then has
 * 65,536 of them. Of others nothing: an IPv4 address is not given in blocks to everybody.
 */
export function widerNetworkOf(client: string): string | undefined {
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(client)
  return groups ? `${groups[1]}::/48` : undefined
}
