package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreAddressTest {
  @TempDir private Path directory;

  @Test
  void readsClusterAndReplicasInOrder() {
    StoreAddress address = StoreAddress.parse(" lab@10.0.0.1:7001, b:7003,[::1]:7005\n");
    assertThat(address.cluster()).isEqualTo("lab");
    assertThat(address.members())
        .isEqualTo(
            List.of(
                new Member(0, "10.0.0.1", 7001),
                new Member(1, "b", 7003),
                new Member(2, "[::1]", 7005)));
    assertThat(StoreAddress.parse(address.toString())).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a:1|names no cluster",
        "@a:1|names no cluster",
        "lab@|endpoint 1 (\"\") is not host:port",
        "lab@a:1,b,c:3|endpoint 2 (\"b\") is not host:port",
        "lab@a:1,:2,c:3|endpoint 2 (\":2\") is not host:port",
        "lab@a:1,b:0,c:3|endpoint 2 (\"b:0\") has no port of 1 to 65534",
        "lab@a:1,b:65535,c:3|has no port",
        "lab@a:1,b:99999999999,c:3|has no port",
        "lab@a:1,b:+7,c:3|has no port",
        "lab@a:1,b:2|1, 3, 5 or 7 replicas, not 2",
        "lab@a:1,a:1,a:5|used twice",
      })
  void refusesWithPlaceAndRemedy(String text, String why) {
    assertThatThrownBy(() -> StoreAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("\"" + text + "\"", why, "write cluster@host:port");
  }

  @Test
  void aFileHoldsAnAddress() throws Exception {
    Path file = Files.writeString(directory.resolve("store"), "lab@a:7001\n");
    assertThat(StoreAddress.ofFile(file)).isEqualTo(StoreAddress.parse("lab@a:7001"));
    Files.writeString(file, "lab");
    assertThatThrownBy(() -> StoreAddress.ofFile(file)).hasMessageStartingWith(file + ": ");
    Files.writeString(file, "x".repeat(5000));
    assertThatThrownBy(() -> StoreAddress.ofFile(file)).hasMessageContaining("4096 bytes");
  }
}
