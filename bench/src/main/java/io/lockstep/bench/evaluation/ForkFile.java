package io.lockstep.bench.evaluation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What forks have measured: a line of JSON for each, appended as soon as it is known, so that a run
 * that is stopped goes on from there. Used by one thread.
 */
final class ForkFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final List<Fork> forks;

  private ForkFile(Path file, List<Fork> forks) {
    this.file = file;
    this.forks = new ArrayList<>(forks);
  }

  /** One fork. */
  record Fork(ReplayPoint point, ReplayResult result) {}

  /**
   * Opens a file, with what is in it.
   *
   * @throws BenchException where a line is none of a run; the last line may be cut
   */
  static ForkFile open(Path file) throws BenchException {
    List<Fork> forks = new ArrayList<>();
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      int number = 0;
      for (String line : whole.lines().toList()) {
        number++;
        try {
          forks.add(JSON.readValue(line, Fork.class));
        } catch (JsonProcessingException e) {
          throw new BenchException(
              file
                  + ", line "
                  + number
                  + ": no result of a fork: "
                  + e.getOriginalMessage()
                  + "; begin anew in another directory",
              e);
        }
      }
      if (whole.length() < text.length()) {
        // A run was ended within the last line. That fork is measured again.
        Files.writeString(file, whole);
      }
    } catch (IOException e) {
      throw new BenchException("cannot read " + file + ": " + e.getMessage(), e);
    }
    return new ForkFile(file, forks);
  }

  /** All, in the order in which they were measured. */
  List<Fork> forks() {
    return List.copyOf(forks);
  }

  /** The results of a point. */
  List<ReplayResult> of(ReplayPoint point) {
    return forks.stream().filter(fork -> fork.point().equals(point)).map(Fork::result).toList();
  }

  /**
   * Adds one.
   *
   * @throws BenchException where it cannot be written, such as on a full disk; what was there stays
   */
  void add(Fork fork) throws BenchException {
    try {
      Files.writeString(
          file,
          JSON.writeValueAsString(fork) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new BenchException(
          "cannot write "
              + file
              + ": "
              + e.getMessage()
              + "; make room, and go on with --resume: what was measured before is kept",
          e);
    }
    forks.add(fork);
  }
}
