// SPDX-License-Identifier: Apache-2.0
/** Tests of the finished jar from outside: a child process, a data directory, HTTP. Nothing here calls a product class. */
@NullMarked
package io.keptlog.system;

import org.jspecify.annotations.NullMarked;
