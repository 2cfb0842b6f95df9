// SPDX-License-Identifier: Apache-2.0
/** The console in a real browser, against the finished jar. */
@NullMarked
package io.keptlog.system.browser;

import org.jspecify.annotations.NullMarked;
