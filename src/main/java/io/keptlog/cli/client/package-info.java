// SPDX-License-Identifier: Apache-2.0
/** Commands for people who use a server: they speak its HTTP API as any client does, and know nothing of its files. */
@NullMarked
package io.keptlog.cli.client;

import org.jspecify.annotations.NullMarked;
