#!/usr/bin/env node
// Where json-server 0.17.4 has its program: debuggers and scripts run it by this path.
import '../../dist/bin.js'
