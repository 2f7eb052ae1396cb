// What the npm scripts call: sets up what is missing (system packages, npm packages, the build), then does the job.
// Everything is skipped that was done before, so a second run takes little more than the job itself.
//
//   node cmake/setup.mjs demo | test | build | check | format | bench | pack [ARGUMENT...]

const NEEDED = [20, 19];

function nodeIsNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** Loaded only after the check above, so that an old Node prints our sentence and not a syntax error. */
async function main(name, args) {
  const { jobs } = await import('./jobs.mjs');
  const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
  if (!job) throw new Error(`no job named ${name}: ${Object.keys(jobs).join(', ')}`);
  return job(args);
}

if (nodeIsNewEnough()) {
  const [name, ...args] = process.argv.slice(2);
  main(name, args).then(
    (status) => {
      process.exitCode = status;
    },
    (error) => {
      console.error(`\n${error.name === 'SetupError' ? error.message : error.stack}`);
      process.exitCode = 1;
    },
  );
} else {
  console.error(`wasm-trace needs Node ${NEEDED.join('.')} or newer; this is ${process.version} (${process.execPath})`);
  process.exitCode = 1;
}
