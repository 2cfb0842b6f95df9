// SPDX-License-Identifier: Apache-2.0
/** The load generator: what a running server does over HTTP, measured from the client's side. */
@NullMarked
package io.keptlog.cli.bench;

import org.jspecify.annotations.NullMarked;
