// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.SystemCalls.Call;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
    @Test
    void callsThatOtherThreadsInterruptedArePutTogetherAgain() {
        List<Call> calls = SystemCalls.of(List.of(
                "101 pwrite64(9</d/0.log>, \"x\", 1, 4096) = 1",
                "102 fdatasync(9</d/0.log> <unfinished ...>",
                "101 write(12<socket:[5]>, \"HTTP/1.1 201 \", 13 <unfinished ...>",
                "102 <... fdatasync resumed>)       = 0",
                "101 <... write resumed>)           = 13",
                "103 fsync(7</d>) = -1 EIO (Input/output error) (INJECTED)",
                "103 +++ exited with 0 +++"));
        assertThat(calls).extracting(Call::name).containsExactly("pwrite64", "fdatasync", "write", "fsync");
        assertThat(calls.get(1)).satisfies(c -> {
            assertThat(c.begin()).isEqualTo(1);
            assertThat(c.end()).isEqualTo(3);
            assertThat(c.isSync()).isTrue();
            assertThat(c.isOn(".log")).isTrue();
            assertThat(c.text()).contains("= 0");
        });
        assertThat(calls.get(2).end()).isEqualTo(4);
        assertThat(calls.get(3).isOn("/d")).isTrue();
    }
}
