// SPDX-License-Identifier: Apache-2.0
/** What every system test needs: the jar as a child process, a small client, disks that can be filled or cut, and recorded load. */
@NullMarked
package io.keptlog.system.harness;

import org.jspecify.annotations.NullMarked;
