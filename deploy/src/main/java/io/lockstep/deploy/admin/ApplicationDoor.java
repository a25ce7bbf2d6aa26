package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the admin HTTP does for {@code app}; called on its threads, must not block. */
public interface ApplicationDoor {
  /** The path; below it {@code /APPLICATION} and {@code /APPLICATION/NOUN}. */
  String PATH = "/api/v1/applications";

  /**
   * An application of the node.
   *
   * @param from the path of its jar; empty where it is part of Lockstep
   * @param state {@link #ACTIVE} or {@link #INACTIVE}
   */
  record ApplicationReport(
      String name, int priority, String from, String state, List<NounReport> nouns) {}

  /** It decides on packets. */
  String ACTIVE = "active";

  /** An operator deactivated it. */
  String INACTIVE = "inactive";

  /**
   * What an application shows.
   *
   * @param shows one line
   */
  record NounReport(String name, String shows, List<ArgumentReport> arguments) {}

  /** An argument: its name, what may stand there, and whether it may not be left out. */
  record ArgumentReport(String name, String allowed, boolean required) {}

  /**
   * What a noun shows.
   *
   * @param rows each with a cell for each column
   * @param complete false where rows were left out, or a table was too long to be read whole
   */
  record ShownRows(
      String application,
      String noun,
      List<String> columns,
      List<List<String>> rows,
      boolean complete) {}

  /** Why a noun shows nothing. */
  record NoRows(String error, String remedy) {}

  /** All applications, by name. */
  List<ApplicationReport> applications();

  /**
   * Activates or deactivates an application of the node, in the whole cluster.
   *
   * @param application one of {@link #applications}
   * @return its report, or why that failed, with a status of 503 (nothing was changed) or 504 (not
   *     known); completes normally, within some seconds
   */
  CompletableFuture<Answer> activate(String application, boolean active);

  /**
   * Asks a noun: {@link ShownRows}, or {@link NoRows} with a status of 400 (wrong arguments), 404
   * (no such noun), 500 (it failed), 503 (not now) or 504 (too slow).
   *
   * @param arguments by name
   * @return completes normally, within some seconds
   */
  CompletableFuture<Answer> ask(String application, String noun, Map<String, String> arguments);
}
