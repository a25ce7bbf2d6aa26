package io.lockstep.deploy.admin.flow;

import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.admin.answer.QueryFields;
import io.lockstep.deploy.admin.answer.QueryFields.WrongQuery;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers {@code GET /api/v1/routes?from=A&to=B&limit=N}. Thread-safe. */
public final class RouteRequests {
  /** Finds routes. */
  public static final String PATH = "/api/v1/routes";

  private static final String ALLOWED = "a MAC or IP address of a host, a switch, or SWITCH/PORT";
  private static final Pattern END = Pattern.compile("[0-9a-zA-Z:./]{1,64}");

  /** Null until the node runs. */
  private volatile @Nullable RouteDoor door;

  /** Finds these from now on. */
  public void offer(RouteDoor routes) {
    door = routes;
  }

  /** The answer to a read. */
  public ResourceResponse answer(Map<String, String> query) {
    RouteDoor routes = door;
    if (routes == null) {
      return ResourceResponse.problem(503, "", "no node runs in this process", "ask a node");
    }
    try {
      QueryFields fields = QueryFields.of(query, List.of("from", "to", "limit"));
      int limit = (int) fields.whole("limit", 1, RouteDoor.MAX_ROUTES, 1);
      RouteDoor.End from = end(routes, fields, "from");
      RouteDoor.End to = end(routes, fields, "to");
      return ResourceResponse.of(200, routes.routes(from, to, limit));
    } catch (WrongQuery e) {
      return e.response();
    }
  }

  private static RouteDoor.End end(RouteDoor routes, QueryFields fields, String name)
      throws WrongQuery {
    String text = fields.text(name, END, ALLOWED);
    if (text.isEmpty()) {
      throw new WrongQuery(name, name + " is missing", "give " + ALLOWED);
    }
    return routes
        .find(text)
        .orElseThrow(
            () ->
                new WrongQuery(
                    name,
                    name + ": the network has no '" + Shown.text(text) + "'",
                    "see ./lockstep hosts and ./lockstep switches"));
  }
}
