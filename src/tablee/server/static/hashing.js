// SHA-256 and SHA-512 (FIPS 180-4). Browsers compute them only for pages that came by https; for a table on the home
// network we do it here.
const isPrime = (/** @type {number} */ n) =>
  n > 1 && !Array.from({ length: n - 2 }, (_, d) => d + 2).some((d) => n % d === 0);
const PRIMES = Array.from({ length: 410 }, (_, n) => n)
  .filter(isPrime)
  .map(BigInt);
const KINDS = {
  "SHA-256": {
    bits: 32n,
    rounds: 64,
    sums: [
      [2, 13, 22],
      [6, 11, 25],
    ],
    mixes: [
      [7, 18, 3],
      [17, 19, 10],
    ],
  },
  "SHA-512": {
    bits: 64n,
    rounds: 80,
    sums: [
      [28, 34, 39],
      [14, 18, 41],
    ],
    mixes: [
      [1, 8, 7],
      [19, 61, 6],
    ],
  },
};

/**
 * The constants are the first 64 binary places of the primes' square and cube roots.
 *
 * @param {bigint} number
 * @param {bigint} degree
 */
function root(number, degree) {
  let found = 0n;
  for (let bit = 1n << 80n; bit; bit >>= 1n) if ((found + bit) ** degree <= number) found += bit;
  return found;
}
/**
 * @param {bigint} prime
 * @param {bigint} degree
 */
const places = (prime, degree) => BigInt.asUintN(64, root(prime << (64n * degree), degree));
/** @type {{ start: bigint[], rounds: bigint[] } | null} */
let constants = null;
const known = () =>
  (constants ??= {
    start: PRIMES.slice(0, 8).map((prime) => places(prime, 2n)),
    rounds: PRIMES.slice(0, 80).map((prime) => places(prime, 3n)),
  });

/**
 * @param {keyof typeof KINDS} name
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
function ownDigest(name, bytes) {
  const { bits, rounds, sums, mixes } = KINDS[name];
  const word = Number(bits) / 8;
  const cut = (/** @type {bigint} */ value) => BigInt.asUintN(Number(bits), value);
  const turn = (/** @type {bigint} */ value, /** @type {number} */ by) =>
    (value >> BigInt(by)) | cut(value << (bits - BigInt(by)));
  const sum = (/** @type {bigint} */ value, /** @type {number[]} */ [a, b, c]) =>
    turn(value, a) ^ turn(value, b) ^ turn(value, c);
  const mix = (/** @type {bigint} */ value, /** @type {number[]} */ [a, b, c]) =>
    turn(value, a) ^ turn(value, b) ^ (value >> BigInt(c));
  const first = (/** @type {bigint} */ constant) => constant >> (64n - bits);
  const padded = pad(bytes, 16 * word);
  const read = (/** @type {number} */ at) =>
    [...padded.slice(at, at + word)].reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
  let state = known().start.map(first);
  for (let block = 0; block < padded.length; block += 16 * word) {
    const w = Array.from({ length: 16 }, (_, n) => read(block + n * word));
    for (let n = 16; n < rounds; n += 1)
      w.push(cut(w[n - 16] + mix(w[n - 15], mixes[0]) + w[n - 7] + mix(w[n - 2], mixes[1])));
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < rounds; n += 1) {
      const one = h + sum(e, sums[1]) + ((e & f) ^ (cut(~e) & g)) + first(known().rounds[n]) + w[n];
      const two = sum(a, sums[0]) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [cut(one + two), a, b, c, cut(d + one), e, f, g];
    }
    state = [a, b, c, d, e, f, g, h].map((value, n) => cut(value + state[n]));
  }
  return Uint8Array.from(
    state.flatMap((value) =>
      Array.from({ length: word }, (_, n) => Number((value >> BigInt(8 * (word - 1 - n))) & 255n)),
    ),
  );
}

/**
 * Adds a one, zeros, and how many bits there were.
 *
 * @param {Uint8Array} bytes
 * @param {number} block
 */
function pad(bytes, block) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 1 + block / 8) / block) * block);
  padded.set(bytes);
  padded[bytes.length] = 128;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(8 * bytes.length));
  return padded;
}

/**
 * @param {keyof typeof KINDS} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function digest(name, bytes) {
  return globalThis.crypto?.subtle ? new Uint8Array(await crypto.subtle.digest(name, bytes)) : ownDigest(name, bytes);
}

export { ownDigest };
