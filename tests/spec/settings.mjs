// The options of both transforms for the spec suite's runner, which come in the environment.
const { WASM_TRACE_TEST_QUESTION = '{"trace": ["calls"]}', WASM_TRACE_TEST_LINK } = process.env;

/** Functions of the suite are small, so none is too small. @type {import('../../js/index.js').InstrumentOptions} */
export const options = {
  ...JSON.parse(WASM_TRACE_TEST_QUESTION),
  link: /** @type {any} */ (WASM_TRACE_TEST_LINK),
  minSize: 0,
  someMatch: true,
};
