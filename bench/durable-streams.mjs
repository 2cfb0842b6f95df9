// SPDX-License-Identifier: Apache-2.0
// A durable-streams server on files, for PeersIT: node durable-streams.mjs MODULES PORT DATA_DIRECTORY
import { createRequire } from "node:module";

const [modules, port, dataDir] = process.argv.slice(2);
const require = createRequire(modules + "/");
const { DurableStreamTestServer } = require("@durable-streams/server");
const server = new DurableStreamTestServer({ port: Number(port), host: "127.0.0.1", dataDir });
await server.start();
console.log("ready");
