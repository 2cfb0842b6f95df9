// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

/**
 * What the edge lets in at once; sizes in bytes.
 *
 * @param requestBodyBytes largest request body; for ndjson, largest line
 * @param inFlightBytes request bodies in work at once, server-wide
 * @param writesPerUser produce requests of one user in work at once
 */
public record HttpLimits(long requestBodyBytes, long inFlightBytes, int writesPerUser) {
    public HttpLimits {
        if (requestBodyBytes < 1 || inFlightBytes < requestBodyBytes || writesPerUser < 1) {
            throw new IllegalArgumentException("request body " + requestBodyBytes + ", in flight " + inFlightBytes
                    + ", per user " + writesPerUser);
        }
    }
}
