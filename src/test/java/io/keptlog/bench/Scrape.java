// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import io.keptlog.system.harness.Client;
import java.util.function.Predicate;

/** Reads numbers from the server's Prometheus page. */
record Scrape(String page) {
    static Scrape of(Client client) {
        return new Scrape(client.get("/actuator/prometheus").expect(200).text());
    }

    /** Sum of all series of this name whose line the test accepts. */
    double sum(String name, Predicate<String> which) {
        double[] values = page.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(which)
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .toArray();
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
