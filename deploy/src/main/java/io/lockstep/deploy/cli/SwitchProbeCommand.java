package io.lockstep.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.ClusterStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lockstep switch probe DPID}. */
@Command(
    name = "probe",
    description = "Finds out what a switch's flow tables hold, by filling them.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Says what it would do and ends, unless --yes is given. The node that masters the switch does",
      "it, over OpenFlow; its rules have a cookie and the lowest priorities of their own and are",
      "removed at the end. A probe takes minutes. Without -e: asks 127.0.0.1:8181, :8182 and :8183.",
      "",
      "Exit codes: 0 done, 1 refused or failed, 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SwitchProbeCommand implements Callable<Integer> {
  private static final Pattern DPID =
      Pattern.compile("(?:of:|0x)?((?:[0-9a-fA-F]{2}:){7}[0-9a-fA-F]{2}|[0-9a-fA-F]{1,16})");
  private static final int STATUS_TIMEOUT_MILLIS = 3_000;

  /** The node waits for its switch before it says what a probe would mean. */
  private static final int ASK_TIMEOUT_MILLIS = 120_000;

  private static final long POLL_MILLIS = 500;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DPID",
      description = "The switch: up to 16 hexadecimal digits, with of: or without.")
  private String dpid;

  @Option(
      names = {"-e", "--endpoints"},
      paramLabel = "HOST:PORT",
      split = ",",
      description = "Admin addresses of the nodes; may be repeated or separated by commas.")
  private List<String> endpoints =
      new ArrayList<>(List.of("127.0.0.1:8181", "127.0.0.1:8182", "127.0.0.1:8183"));

  @Option(
      names = {"-t", "--tables"},
      paramLabel = "N",
      split = ",",
      defaultValue = "0",
      description = "The tables to fill, separated by commas (default 0).")
  private List<Integer> tables;

  @Option(names = "--yes", description = "Do it.")
  private boolean yes;

  @Option(
      names = "--despite-others",
      description = "Go on where entries of others are in the switch.")
  private boolean despiteOthers;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description = "Write what was found as a switch profile.")
  private @Nullable Path out;

  @Override
  public Integer call() throws OperatorException, IOException {
    var matcher = DPID.matcher(dpid);
    if (!matcher.matches()) {
      throw new ParameterException(
          spec.commandLine(), dpid + " is no datapath id: give up to 16 hexadecimal digits");
    }
    String digits = matcher.group(1).replace(":", "").toLowerCase(Locale.ROOT);
    String id = "0".repeat(16 - digits.length()) + digits;
    AdminClient node = new AdminClient(master(id), ASK_TIMEOUT_MILLIS);
    String question =
        "?switch=of:"
            + id
            + "&tables="
            + String.join(",", tables.stream().map(String::valueOf).toList())
            + "&despiteOthers="
            + despiteOthers;
    PrintWriter print = spec.commandLine().getOut();
    JsonNode warnings = node.postProbe(question + "&begin=false");
    refuse(warnings);
    warnings.path("warnings").forEach(line -> print.println(line.asText()));
    print.flush();
    if (!yes) {
      throw new OperatorException("nothing was done", "give --yes to go on");
    }
    refuse(node.postProbe(question + "&begin=true"));
    JsonNode done = follow(node, print);
    refuse(done);
    done.path("report").forEach(line -> print.println(line.asText()));
    print.flush();
    if (out != null) {
      Files.writeString(out, done.path("profile").asText());
      print.println("profile written to " + out);
      print.flush();
    }
    return ExitCode.DONE;
  }

  private String master(String id) throws OperatorException {
    ClusterStatus status = ClusterStatus.ask(endpoints, STATUS_TIMEOUT_MILLIS);
    for (ClusterStatus.Answer answer : status.answers()) {
      for (NodeReport.SwitchReport one : answer.report().switches()) {
        if (one.dpid().equals(id) && one.role().equals("master")) {
          return answer.endpoint();
        }
      }
    }
    throw new OperatorException(
        "no node at " + String.join(", ", endpoints) + " masters switch " + id,
        "see ./lockstep status; name the nodes' admin addresses with -e");
  }

  private static JsonNode follow(AdminClient node, PrintWriter print) throws IOException {
    int told = 0;
    while (true) {
      JsonNode state = node.probe();
      for (; told < state.path("progress").size(); told++) {
        print.println(state.path("progress").get(told).asText());
        print.flush();
      }
      if (!state.path("running").asBoolean()) {
        return state;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  private static void refuse(JsonNode answer) throws OperatorException {
    String error = answer.path("error").asText("");
    if (!error.isEmpty()) {
      throw new OperatorException(error, "see ./lockstep switch probe --help");
    }
  }
}
