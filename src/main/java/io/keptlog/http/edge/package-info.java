// SPDX-License-Identifier: Apache-2.0
/** What stands before the controllers: which paths are let in, how much at once, and how Tomcat and JSON are set up. */
@NullMarked
package io.keptlog.http.edge;

import org.jspecify.annotations.NullMarked;
