package io.lockstep.bench.peers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The points measured so far: a JSON list, and beside it {@code FILE.run.json}, which says on what
 * they were measured and how each store was warmed up. Each is written whole or not at all after
 * every addition. Used by one thread.
 */
final class CompareFile {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path file;
  private final Run run;
  private final List<ComparePoint> points;
  private final List<WarmedUp> warmUps;

  private CompareFile(Path file, Run run, List<ComparePoint> points, List<WarmedUp> warmUps) {
    this.file = file;
    this.run = run;
    this.points = new ArrayList<>(points);
    this.warmUps = new ArrayList<>(warmUps);
  }

  /**
   * What all points of a file have in common.
   *
   * @param warmupSeconds of each variant before its points, at most
   * @param seconds of each point's window
   * @param jraftRpc what the client of the store {@code jraft} speaks
   * @param machine where its first points were measured; null in files from before it was recorded
   */
  record Run(
      Surroundings.Commit commit,
      int warmupSeconds,
      int seconds,
      String jraftRpc,
      Surroundings.Jvm jvm,
      Surroundings.@Nullable Machine machine) {

    private boolean isLike(Run other) {
      return commit.equals(other.commit)
          && warmupSeconds == other.warmupSeconds
          && seconds == other.seconds
          && jraftRpc.equals(other.jraftRpc)
          && jvm.version().equals(other.jvm.version())
          && hardware().equals(other.hardware());
    }

    private String hardware() {
      return machine == null
          ? "unknown machine"
          : machine.cpu() + ", " + machine.cores() + " cores";
    }

    private String told() {
      return String.join(
          ", ",
          commit.id() + (commit.dirty() ? " with changes" : ""),
          "--warmup " + warmupSeconds,
          "--seconds " + seconds,
          "--jraft-rpc " + jraftRpc.toLowerCase(Locale.ROOT),
          "Java " + jvm.version(),
          hardware());
    }
  }

  /** The file beside. */
  private record Beside(Run run, List<WarmedUp> warmUps) {}

  /**
   * The file, with what is in it already.
   *
   * @param anew whether to begin anew where it is of another run
   * @throws BenchException where it is of another run, or no such file
   */
  static CompareFile open(Path file, Run run, boolean anew) throws BenchException, IOException {
    Path beside = beside(file);
    List<ComparePoint> points = List.of();
    List<WarmedUp> warmUps = List.of();
    Run earlierRun = null;
    if (Files.exists(file)) {
      try {
        Beside earlier =
            Files.exists(beside) ? JSON.readValue(beside.toFile(), Beside.class) : null;
        if (earlier != null && run.isLike(earlier.run())) {
          points = JSON.readValue(file.toFile(), new TypeReference<List<ComparePoint>>() {});
          warmUps = earlier.warmUps();
          earlierRun = earlier.run();
        } else if (!anew) {
          throw new BenchException(
              file
                  + " holds points of another commit or with other settings ("
                  + (earlier == null ? "unknown" : earlier.run().told())
                  + "): give another --out, or --anew to begin anew");
        }
      } catch (JsonProcessingException e) {
        throw new BenchException(
            file + " is no result of bench compare: " + e.getOriginalMessage(), e);
      }
    }
    CompareFile opened =
        new CompareFile(file, earlierRun == null ? run : earlierRun, points, warmUps);
    opened.write();
    opened.writeBeside();
    return opened;
  }

  private static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".run.json");
  }

  List<ComparePoint> points() {
    return List.copyOf(points);
  }

  boolean contains(PointKey key) {
    return points.stream().anyMatch(point -> point.key().equals(key));
  }

  void add(ComparePoint point) throws IOException {
    points.add(point);
    write();
  }

  List<WarmedUp> warmUps() {
    return List.copyOf(warmUps);
  }

  void add(WarmedUp warmUp) throws IOException {
    warmUps.add(warmUp);
    writeBeside();
  }

  private void writeBeside() throws IOException {
    write(beside(file), new Beside(run, warmUps));
  }

  private void write() throws IOException {
    write(file, points);
  }

  private static void write(Path file, Object content) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = target.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.writeString(part, JSON.writeValueAsString(content) + "\n");
    Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
  }
}
