package io.lockstep.deploy.cli.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.deploy.admin.event.EventLog;
import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.status.Printable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep events}. */
@Command(
    name = "events",
    description = "Follows what happens to switches, links, hosts, masters and flow rules.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Prints one event a line until Ctrl-C. Where the node ends it goes on with the next one that",
      "answers, and says that events may be missing. With -o json one object a line.",
      "Exit codes: 0 done, 1 no node answers, 2 wrong usage."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class EventsCommand implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long AGAIN_MILLIS = 500;
  private static final String DATA = "data: ";
  private static final String ID = "id: ";

  @Spec private CommandSpec spec;

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      description = "Only these: device, link, host, mastership, flow.")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "ID",
      description = "Go on behind this event; ids are in the JSON.")
  private String lastId = "";

  @Option(names = "--count", paramLabel = "N", description = "End after so many events.")
  private @Nullable Integer count;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  private int printed;

  @Override
  public Integer call() throws OperatorException {
    for (String kind : kinds) {
      if (!EventLog.KINDS.contains(kind)) {
        throw new ParameterException(
            spec.commandLine(),
            "--kind " + kind + ": give some of " + String.join(", ", EventLog.KINDS));
      }
    }
    if (count != null && count < 1) {
      throw new ParameterException(spec.commandLine(), "--count: give 1 or more");
    }
    String query = kinds.isEmpty() ? "" : "?kinds=" + String.join(",", kinds);
    List<AdminAddress> asked = nodes.asked(spec);
    while (followFirst(asked, query) && wantsMore()) {
      pause();
    }
    return ExitCode.DONE;
  }

  /**
   * Follows the first node that answers until the stream ends.
   *
   * @return true
   * @throws OperatorException where none answers
   */
  private boolean followFirst(List<AdminAddress> asked, String query) throws OperatorException {
    List<String> silent = new ArrayList<>();
    for (AdminAddress endpoint : asked) {
      int before = printed;
      try {
        new AdminClient(endpoint, nodes.timeoutMillis()).follow(query, lastId, this::line);
        return true;
      } catch (IOException e) {
        if (printed > before) {
          return true; // it answered, and ended meanwhile
        }
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    throw new OperatorException(
        "no node answers: " + String.join("; ", silent),
        "start one with ./lockstep node, or name its admin address with -e");
  }

  private static void pause() {
    try {
      Thread.sleep(AGAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean wantsMore() {
    Integer most = count;
    return most == null || printed < most;
  }

  /** Takes a line of the stream; whether to go on. */
  private boolean line(String line) {
    if (line.startsWith(ID)) {
      lastId = line.substring(ID.length());
    } else if (line.startsWith(DATA)) {
      print(line.substring(DATA.length()));
    }
    return wantsMore();
  }

  private void print(String data) {
    var out = spec.commandLine().getOut();
    try {
      JsonNode event = JSON.readTree(data);
      if (!event.has("kind")) {
        spec.commandLine().getErr().println("lockstep: " + event.path("detail").asText());
        return;
      }
      printed++;
      out.println(
          output.isForPrograms()
              ? data
              : Printable.of(
                  String.join(
                      "  ",
                      Instant.ofEpochMilli(event.path("timeMillis").asLong()).toString(),
                      event.path("type").asText(),
                      event.path("subject").asText(),
                      event.path("text").asText())));
      out.flush();
    } catch (JsonProcessingException e) {
      spec.commandLine().getErr().println("lockstep: an event that is no JSON was left out");
    }
  }
}
