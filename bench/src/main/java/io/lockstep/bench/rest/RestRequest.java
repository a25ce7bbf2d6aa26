package io.lockstep.bench.rest;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request of the load.
 *
 * @param body JSON; null for a request without one
 */
record RestRequest(String method, String path, @Nullable String body) {
  /** Reads and writes come in turns of so many, of which the last is a write. */
  static final int TURN = 11;

  private static final List<String> READS =
      List.of("/api/v1/nodes", "/api/v1/switches", "/api/v1/flows?limit=20", "/api/v1/links");

  /** Flows that are added, and removed when as many others have been written. */
  private static final int FLOWS = 100;

  /** Whether request {@code number} of a load, from 0, is a write. */
  static boolean isWrite(long number) {
    return number % TURN == TURN - 1;
  }

  /** Request {@code number} of a load. The switches have the datapath ids from 1 on. */
  static RestRequest of(long number, int switches) {
    if (!isWrite(number)) {
      return new RestRequest("GET", READS.get((int) (number % READS.size())), null);
    }
    long write = number / TURN;
    int flow = (int) (write % FLOWS);
    String path = "/api/v1/flows/rest-" + flow;
    if (write / FLOWS % 2 == 1) {
      return new RestRequest("DELETE", path, null);
    }
    return new RestRequest("PUT", path, body(flow, switches));
  }

  private static String body(int flow, int switches) {
    return String.format(
        Locale.ROOT,
        "{\"switch\": \"%x\", \"priority\": 100, \"match\": [\"eth_type=0x800\","
            + " \"ipv4_dst=192.0.2.%d\"], \"actions\": [\"drop\"]}",
        1 + flow % switches,
        flow);
  }
}
