/** Forty hexadecimal characters, with or without 0x. Advice only: the address is taken as it is given. */
export const looksLikeEthereum = (address: string): boolean => /^(0x)?[0-9a-f]{40}$/i.test(address)
