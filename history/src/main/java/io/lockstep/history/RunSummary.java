package io.lockstep.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.bench.runs.Surroundings.Jvm;
import io.lockstep.bench.runs.Surroundings.Machine;
import io.lockstep.history.nemesis.Halts.Halt;
import io.lockstep.history.nemesis.Hang;
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
 * @param faultsByKind how often each kind of the run came; 0 where time was short
 * @param longestWriteStallMillisByFault without an acknowledged write, by kind and victim
 * @param halts how often a replica ended by itself, by cause
 * @param haltReasons each of them, with what the replica said
 * @param unexplainedHalts those that no fault of the run leads to
 * @param writesDuringFaults lines of the history that write, and were under way while a fault acted
 * @param unknownWritesDuringFaults those of them without an answer
 * @param heapBoundMegabytes the sum of the budgets that a replica is configured with
 * @param heapStartMegabytes alive on each replica's heap after a full collection, before the faults
 * @param heapEndMegabytes the same after all
 * @param heapLargestMegabytes of all replicas, looked at every minute in which all is well
 * @param lines of the history
 * @param keys in the history
 * @param violations that the checker found
 * @param acknowledgedWritesLost that were not there at the end
 * @param mixedLines steps in {@code mixed.jsonl}
 * @param mixedByOutcome how many of them, by operation and outcome
 * @param mixedViolations that their checker found, 20 at most
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
    long writesDuringFaults,
    long unknownWritesDuringFaults,
    double unknownPercentOfWritesDuringFaults,
    Map<String, Long> halts,
    List<Halt> haltReasons,
    int unexplainedHalts,
    long heapBoundMegabytes,
    List<Long> heapStartMegabytes,
    List<Long> heapEndMegabytes,
    long heapLargestMegabytes,
    long lines,
    int keys,
    int violations,
    long acknowledgedWritesLost,
    int mixedLines,
    Map<String, Long> mixedByOutcome,
    int mixedViolations,
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
            + "%d mixed steps with %d violations, %d watch violations, %d unexplained halts, %.2f %% "
            + "of writes under faults unknown, heap %d of %d MB%s (seed %d)",
        pass ? "PASS" : "FAIL",
        lines,
        keys,
        faultsByKind.values().stream().mapToLong(Long::longValue).sum(),
        violations,
        acknowledgedWritesLost,
        mixedLines,
        mixedViolations,
        watchViolations,
        unexplainedHalts,
        unknownPercentOfWritesDuringFaults,
        heapLargestMegabytes,
        heapBoundMegabytes,
        hang == null ? "" : ", HANG: " + hang,
        seed);
  }
}
