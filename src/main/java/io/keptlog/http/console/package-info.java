// SPDX-License-Identifier: Apache-2.0
/** The console: a page and its modules, served from the jar. It calls the same API as everybody and holds no state here. */
@NullMarked
package io.keptlog.http.console;

import org.jspecify.annotations.NullMarked;
