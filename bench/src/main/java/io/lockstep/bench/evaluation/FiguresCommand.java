package io.lockstep.bench.evaluation;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FiguresFile;
import io.lockstep.bench.figures.OperationRows;
import io.lockstep.bench.page.FiguresPage;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.replay.ReplayCluster;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench figures}: the paper's tables and figures beside ours. */
@Command(
    name = "figures",
    description =
        "Measures every table and figure of the paper on the consistent data store, and writes"
            + " figures.json, a picture of each, and index.html, which opens without a server.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class FiguresCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where they go; made if it is not there.")
  private Path out;

  @Option(
      names = "--quick",
      description =
          "All figures in at most ten minutes: one virtual machine for each point, messages, state"
              + " in memory, 1 and 64 flows, 3 s or 50000 flows each.")
  private boolean quick;

  @Option(
      names = "--resume",
      description = "Goes on where an earlier run with the same settings was stopped.")
  private boolean resume;

  @Option(
      names = "--figure",
      paramLabel = "NAME",
      description = "Only this one, such as \"Fig. 7\"; may be given more than once.")
  private List<String> figures = List.of();

  @Option(names = "--draw", description = "Measures nothing: draws again what the directory has.")
  private boolean draw;

  @Option(
      names = "--replicas",
      paramLabel = "HOST:PORT,...",
      description =
          "A cluster that runs elsewhere, of ./lockstep bench replica, with state in memory; only"
              + " with --quick.")
  private @Nullable String replicas;

  /** What the forks of a directory have in common. */
  private record Settings(
      String commit, boolean dirty, boolean quick, String jvm, String replicas) {}

  @Override
  public Integer call() throws BenchException, IOException {
    FigureGrid grid = grid();
    Surroundings surroundings = Surroundings.of(Surroundings.root());
    createDirectory();
    ForkFile file = ForkFile.open(out.resolve("forks.jsonl"));
    List<FigureRow.OperationSize> operations = operations();
    if (draw) {
      if (file.forks().isEmpty()) {
        throw new BenchException(out + " has no forks.jsonl of an earlier run to draw");
      }
      write(operations, file, surroundings);
      return 0;
    }
    checkSettings(file, surroundings);
    RunDirectory directory = RunDirectory.create("figures");
    FiguresRun run =
        new FiguresRun(grid, file, directory.path(), spec.commandLine().getOut(), this::start);
    run.run(() -> writeRows(operations, file));
    directory.remove();
    write(operations, file, surroundings);
    return 0;
  }

  private FigureGrid grid() {
    if (replicas != null && !quick) {
      throw new ParameterException(
          spec.commandLine(), "--replicas: only with --quick, since the whole needs two clusters");
    }
    FigureGrid grid = quick ? FigureGrid.quick() : FigureGrid.whole();
    if (figures.isEmpty()) {
      return grid;
    }
    List<String> known =
        new ArrayList<>(PaperCurve.ALL.stream().map(PaperCurve::figure).distinct().toList());
    for (String figure : figures) {
      if (!known.contains(figure)) {
        throw new ParameterException(
            spec.commandLine(),
            "--figure: '" + figure + "' is none of " + String.join(", ", known));
      }
    }
    return grid.only(figures);
  }

  private void createDirectory() throws BenchException {
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new BenchException("--out: " + out + " cannot be made: " + e.getMessage(), e);
    }
  }

  /** An earlier run must have been like this one, or its points would not fit beside ours. */
  private void checkSettings(ForkFile file, Surroundings surroundings) throws BenchException {
    Settings own =
        new Settings(
            surroundings.commit().id(),
            surroundings.commit().dirty(),
            quick,
            surroundings.jvm().version(),
            replicas == null ? "" : replicas);
    Path path = out.resolve("settings.json");
    ObjectMapper json = new ObjectMapper();
    try {
      if (file.forks().isEmpty()) {
        Files.writeString(path, json.writeValueAsString(own) + "\n");
        return;
      }
      if (!resume) {
        throw new BenchException(
            out + " has points of an earlier run: --resume goes on with it, or give another --out");
      }
      Settings before = Files.exists(path) ? json.readValue(path.toFile(), Settings.class) : null;
      if (!own.equals(before)) {
        throw new BenchException(
            out + " is of a run with other settings: " + before + ", not " + own);
      }
    } catch (IOException e) {
      throw new BenchException(path + ": " + e.getMessage(), e);
    }
  }

  private ReplayCluster start(boolean durable) throws BenchException, IOException {
    return replicas == null
        ? ReplayCluster.start(Surroundings.root().resolve("bench/target"), durable)
        : ReplayCluster.elsewhere(replicas);
  }

  private List<FigureRow> writeRows(List<FigureRow.OperationSize> operations, ForkFile file)
      throws BenchException {
    List<FigureRow> rows = new ArrayList<>(operations);
    rows.addAll(PointRows.of(file.forks()));
    FiguresFile.write(out.resolve("figures.json"), rows);
    return rows;
  }

  /** From the committed traces. */
  private static List<FigureRow.OperationSize> operations() throws BenchException {
    try {
      return OperationRows.read(Surroundings.root());
    } catch (IOException e) {
      throw new BenchException("the recorded traces cannot be read: " + e, e);
    }
  }

  private void write(
      List<FigureRow.OperationSize> operations, ForkFile file, Surroundings surroundings)
      throws BenchException {
    List<FigureRow> rows = writeRows(operations, file);
    FiguresPage.write(out, rows, facts(surroundings));
    spec.commandLine().getOut().println("page: " + out.resolve("index.html").toAbsolutePath());
  }

  private Map<String, String> facts(Surroundings surroundings) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "./lockstep bench figures --out DIR" + (quick ? " --quick" : ""));
    facts.put(
        "commit",
        surroundings.commit().id() + (surroundings.commit().dirty() ? ", with changes" : ""));
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put(
        "machine",
        surroundings.machine().cpu()
            + ", "
            + surroundings.machine().cores()
            + " cores, "
            + surroundings.machine().os());
    facts.put("Java", surroundings.jvm().version());
    return facts;
  }
}
