package io.lockstep.deploy.admin.answer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An answer to a request for a resource.
 *
 * @param type of the body
 * @param headers besides that of the type
 * @param body becomes JSON
 * @param due the answer leaves when this completes, which it does normally in any case
 */
public record ResourceResponse(
    int status, String type, Map<String, String> headers, Object body, CompletableFuture<?> due) {
  private static final CompletableFuture<?> NOW = CompletableFuture.completedFuture(null);

  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  /** An answer in JSON. */
  public static ResourceResponse of(int status, Object body) {
    return new ResourceResponse(status, JSON, Map.of(), body, NOW);
  }

  /**
   * The same for an item.
   *
   * @param version of the item
   */
  public static ResourceResponse of(int status, Object body, long version) {
    return of(status, body).with("ETag", "\"" + version + "\"");
  }

  /** The same with one more header. */
  public ResourceResponse with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ResourceResponse(status, type, more, body, due);
  }

  /** The same, but it leaves when something has happened. */
  public ResourceResponse due(CompletableFuture<?> when) {
    return new ResourceResponse(status, type, headers, body, when);
  }

  /** Why there is no other answer, where no version matters. */
  public static ResourceResponse problem(int status, String field, String error, String remedy) {
    return problem(status, field, error, remedy, 0);
  }

  /**
   * Why there is no other answer (RFC 9457).
   *
   * @param field that is wrong; empty for none
   * @param version the item's newest; 0 where it does not matter
   */
  public static ResourceResponse problem(
      int status, String field, String error, String remedy, long version) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "about:blank");
    problem.put("title", HttpStatus.getMessage(status));
    problem.put("status", status);
    problem.put("detail", error);
    problem.put("remedy", remedy);
    if (!field.isEmpty()) {
      problem.put("field", field);
    }
    if (version > 0) {
      problem.put("version", version);
    }
    return new ResourceResponse(status, PROBLEM, Map.of(), problem, NOW);
  }

  /** The method is not offered; {@code allow} are those that are. */
  public static ResourceResponse notAllowed(String allow) {
    return problem(405, "", "this cannot be done to it", "allowed: " + allow).with("Allow", allow);
  }
}
