package io.lockstep.bench.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.bench.history.nemesis.Halts.Halt;
import io.lockstep.bench.history.nemesis.Hang;
import io.lockstep.bench.result.Surroundings.Jvm;
import io.lockstep.bench.result.Surroundings.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run: {@code summary.json}. Names of the components are the keys.
 *
 * @param seconds of load and faults
 * @param state memory or disk
 * @param network namespaces or relay
 * @param diskFault fill, limit, or none
 * @param broken how the store was broken on purpose, or none
 * @param commit of the source; with a plus sign where files differ from it
 * @param operationsByOutcome ok, failed, unknown, error
 * @param faultsByKind how often each kind came
 * @param longestWriteStallMillisByFault without an acknowledged write, by kind and victim
 * @param halts how often a replica ended by itself, by cause
 * @param haltReasons each of them, with what the replica said
 * @param lines of the history
 * @param keys in the history
 * @param violations that the checker found
 * @param acknowledgedWritesLost that were not there at the end
 * @param watched changes that watchers were told
 * @param watchViolations gaps, duplicates, wrong order
 * @param watchComplaints what they are
 * @param hang what did not come back, or null
 */
record RunSummary(
    int seconds,
    long seed,
    String state,
    List<String> faults,
    String network,
    String diskFault,
    String broken,
    String startedAt,
    String commit,
    Machine machine,
    Jvm jvm,
    Map<String, Long> operationsByOutcome,
    Map<String, Long> faultsByKind,
    Map<String, Long> longestWriteStallMillisByFault,
    Map<String, Long> halts,
    List<Halt> haltReasons,
    long lines,
    int keys,
    int violations,
    long acknowledgedWritesLost,
    long watched,
    int watchSnapshots,
    int watchViolations,
    List<String> watchComplaints,
    @Nullable Hang hang,
    double checkerSeconds,
    boolean pass) {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  void write(Path file) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(this) + "\n");
  }

  /** One line. */
  String verdict() {
    return String.format(
        "%s: %d operations on %d keys, %s faults, %d violations, %d acknowledged writes lost, "
            + "%d watch violations%s (seed %d)",
        pass ? "PASS" : "FAIL",
        lines,
        keys,
        faultsByKind.values().stream().mapToLong(Long::longValue).sum(),
        violations,
        acknowledgedWritesLost,
        watchViolations,
        hang == null ? "" : ", HANG: " + hang,
        seed);
  }
}
