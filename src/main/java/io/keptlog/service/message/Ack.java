// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

/** Whether a produce request waits for its topic's policy (Iggy HTTP API §4, parameter {@code ack}). */
public enum Ack {
    /** The reply comes when the policy is met; on a persisted topic that is stable storage. */
    REPLICATED,
    /** The reply comes when the messages are appended, in order; it proves no more. */
    NONE
}
