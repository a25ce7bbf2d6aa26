package io.lockstep.deploy.admin.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.admin.answer.QueryFields;
import io.lockstep.deploy.admin.answer.QueryFields.WrongQuery;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /api/v1/log-levels} and {@code /api/v1/log-levels/LOGGER}. Levels are those of
 * this process and are back to those of the program at its next start. Thread-safe.
 */
public final class LogLevelRequests {
  /** Lists the loggers that have a level of their own. */
  public static final String PATH = "/api/v1/log-levels";

  /** What a logger without a level of its own is set to. */
  private static final String INHERIT = "inherit";

  private static final List<String> LEVELS =
      List.of("off", "error", "warn", "info", "debug", "trace", INHERIT);
  private static final Pattern WORD = Pattern.compile("[a-z]{1,10}");

  /** The level that is in effect, and whether it is the logger's own. */
  record LevelReport(String logger, String level, boolean own) {}

  /** All that have one of their own. */
  record LevelList(List<LevelReport> items) {}

  /** Whether {@link #answer} answers this path. */
  public boolean has(String path) {
    return path.equals(PATH) || path.startsWith(PATH + "/");
  }

  /** The answer to a read, or to a {@code PUT} with a level in its query. */
  public ResourceResponse answer(String method, String path, Map<String, String> query) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
      return ResourceResponse.problem(
          503, "", "this process logs with another library", "set levels in its configuration");
    }
    boolean reads = method.equals("GET") || method.equals("HEAD");
    try {
      if (path.equals(PATH)) {
        QueryFields.of(query, List.of());
        return reads ? ResourceResponse.of(200, list(context)) : ResourceResponse.notAllowed("GET");
      }
      String name = path.substring(PATH.length() + 1);
      Logger logger = context.exists(name);
      if (logger == null) {
        return ResourceResponse.problem(
            404,
            "logger",
            "there is no logger '" + Shown.text(name) + "'",
            "give ROOT, or a package or class of the program such as io.lockstep.core");
      }
      if (reads) {
        QueryFields.of(query, List.of());
        return ResourceResponse.of(200, report(logger));
      }
      return method.equals("PUT")
          ? set(logger, QueryFields.of(query, List.of("level")))
          : ResourceResponse.notAllowed("GET, HEAD, PUT");
    } catch (WrongQuery e) {
      return e.response();
    }
  }

  private static LevelList list(LoggerContext context) {
    return new LevelList(
        context.getLoggerList().stream()
            .filter(logger -> logger.getLevel() != null)
            .map(LogLevelRequests::report)
            .toList());
  }

  private static LevelReport report(Logger logger) {
    return new LevelReport(
        logger.getName(),
        logger.getEffectiveLevel().toString().toLowerCase(Locale.ROOT),
        logger.getLevel() != null);
  }

  private static ResourceResponse set(Logger logger, QueryFields query) throws WrongQuery {
    String allowed = "one of " + String.join(", ", LEVELS);
    String word = query.text("level", WORD, allowed);
    boolean isRoot = logger.getName().equals(Logger.ROOT_LOGGER_NAME);
    if (!LEVELS.contains(word) || (isRoot && word.equals(INHERIT))) {
      throw new WrongQuery(
          "level",
          word.isEmpty() ? "level is missing" : "level: '" + word + "' is not allowed here",
          "give " + allowed);
    }
    logger.setLevel(level(word));
    return ResourceResponse.of(200, report(logger));
  }

  private static @Nullable Level level(String word) {
    return word.equals(INHERIT) ? null : Level.toLevel(word);
  }
}
