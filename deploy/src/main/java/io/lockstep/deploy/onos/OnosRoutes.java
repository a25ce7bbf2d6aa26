package io.lockstep.deploy.onos;

import io.lockstep.core.resource.Shown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which method and path is answered by what. Filled once, then thread-safe. */
final class OnosRoutes {
  private final List<Route> routes = new ArrayList<>();

  /**
   * A request for one of them.
   *
   * @param parts what stands for the names in the pattern
   */
  record Call(Map<String, String> parts, Map<String, String> query, byte[] body) {
    String part(String name) {
      String part = parts.get(name);
      if (part == null) {
        throw new IllegalStateException("the pattern has no {" + name + "}");
      }
      return part;
    }
  }

  /** Answers, perhaps later; may raise {@link RefusedException}. */
  interface Answering {
    CompletableFuture<OnosAnswer> answer(Call call);
  }

  private record Route(String method, List<String> pattern, Answering answering) {
    @Nullable Map<String, String> parts(List<String> path) {
      if (path.size() != pattern.size()) {
        return null;
      }
      Map<String, String> parts = new HashMap<>();
      for (int i = 0; i < path.size(); i++) {
        String wanted = pattern.get(i);
        if (wanted.startsWith("{")) {
          parts.put(wanted.substring(1, wanted.length() - 1), path.get(i));
        } else if (!wanted.equals(path.get(i))) {
          return null;
        }
      }
      return parts;
    }
  }

  /** Answers a method and a pattern; of two that fit, the one that was added first. */
  void add(String method, String pattern, Answering answering) {
    routes.add(new Route(method, split(pattern), answering));
  }

  void get(String pattern, Function<Call, OnosAnswer> answer) {
    add("GET", pattern, call -> CompletableFuture.completedFuture(answer.apply(call)));
  }

  /** Each method with its path, as the document lists them. */
  List<String> shown() {
    return routes.stream()
        .map(route -> route.method() + " /" + String.join("/", route.pattern()))
        .toList();
  }

  private static List<String> split(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /**
   * Answers.
   *
   * @param path below the root, with a slash at its begin
   */
  CompletableFuture<OnosAnswer> answer(OnosRequest request, String path) {
    List<String> segments =
        split(
            path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Map<String, String> parts = route.parts(segments);
      if (parts == null) {
        continue;
      }
      if (route.method().equals(method)) {
        return route.answering().answer(new Call(parts, request.query(), request.body()));
      }
      allowed.add(route.method());
    }
    if (allowed.isEmpty()) {
      throw RefusedException.missing(
          "'" + Shown.text(path) + "' is not offered; docs/ONOS_REST.md lists what is");
    }
    String methods = String.join(", ", allowed);
    return CompletableFuture.completedFuture(
        OnosAnswer.error(
                405, "method " + Shown.text(request.method()) + " is not offered here: " + methods)
            .with("Allow", methods));
  }
}
