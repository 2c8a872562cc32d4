// The compiled loops of a game: a WebAssembly module with memory of its own. A call copies its arguments there and
// back.

const PAGE = 0x10000; // bytes
const [STACK_TOP, BLOCK] = [16 * PAGE, 16 * PAGE]; // the module's constants stand below the stack, the arguments above

/** @param {string} name of what only an error in a rule would call */
const refuse = (name) => () => {
  throw new Error(`the rules called ${name}`);
};

/**
 * What the module asks for besides its memory.
 *
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 */
function imports(module, memory) {
  /** @type {Record<string, WebAssembly.ImportValue>} */
  const env = {
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, STACK_TOP),
    __indirect_function_table: new WebAssembly.Table({ element: "anyfunc", initial: 64 }),
  };
  for (const { name, kind } of WebAssembly.Module.imports(module)) if (kind === "function") env[name] = refuse(name);
  return { env };
}

/**
 * Loads a module; Python then calls its loops with a block of memory that begins with the arguments.
 *
 * @param {any} code bytes of Python
 */
export function load(code) {
  const bytes = code.getBuffer("u8");
  const module = new WebAssembly.Module(bytes.data);
  bytes.release();
  const memory = new WebAssembly.Memory({ initial: BLOCK / PAGE });
  const { exports } = new WebAssembly.Instance(module, imports(module, memory));
  return (/** @type {string} */ name, /** @type {any} */ block) => {
    const outside = block.getBuffer("u8");
    const missing = BLOCK + outside.data.length - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const inside = new Uint8Array(memory.buffer, BLOCK, outside.data.length);
    inside.set(outside.data);
    const result = /** @type {(address: number) => bigint | undefined} */ (exports[name])(BLOCK);
    outside.data.set(inside);
    outside.release();
    return Number(result ?? 0);
  };
}

export const ADDRESS = BLOCK; // where a block lies during a call
