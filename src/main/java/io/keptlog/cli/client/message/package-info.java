// SPDX-License-Identifier: Apache-2.0
/** Commands that send messages to a server and read them back. */
@NullMarked
package io.keptlog.cli.client.message;

import org.jspecify.annotations.NullMarked;
