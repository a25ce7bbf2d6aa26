package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;

/**
 * {@code /applications}: those of the node's file, which are active as long as the node runs.
 * Thread-safe.
 */
final class ApplicationEndpoints {
  private final List<OnosApplication> applications;
  private final CoreService core;

  ApplicationEndpoints(List<OnosApplication> applications, CoreService core) {
    this.applications = applications;
    this.core = core;
  }

  void addTo(OnosRoutes routes) {
    routes.get(
        "/applications", call -> BoundedList.of("applications", applications, this::application));
    routes.get("/applications/ids", call -> BoundedList.of("ids", ids(), ApplicationEndpoints::id));
    routes.get("/applications/ids/entry", this::entry);
    routes.get("/applications/{name}", call -> OnosAnswer.ok(application(find(call))));
    // It is active already.
    routes.add(
        "POST",
        "/applications/{name}/active",
        call -> CompletableFuture.completedFuture(OnosAnswer.ok(application(find(call)))));
    routes.add("DELETE", "/applications/{name}/active", this::deactivate);
  }

  private OnosApplication find(Call call) {
    String name = call.part("name");
    return applications.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                RefusedException.missing(
                    "Application is not found: '"
                        + Shown.text(name)
                        + "'; this node runs "
                        + applications.stream()
                            .map(OnosApplication::name)
                            .collect(Collectors.joining(", "))
                        + ", and the key applications of its file names them"));
  }

  private CompletableFuture<OnosAnswer> deactivate(Call call) {
    String name = find(call).name();
    return CompletableFuture.completedFuture(
        OnosAnswer.error(
            409,
            "applications run as long as their node: take "
                + Shown.text(name)
                + " out of the key applications in the files of all nodes, and start them anew one"
                + " after the other"));
  }

  private ObjectNode application(OnosApplication application) {
    ObjectNode json = OnosAnswer.object().put("name", application.name());
    ApplicationId id = core.getAppId(application.name());
    if (id != null) {
      json.put("id", id.id());
    }
    json.put("version", application.version())
        .put("category", "")
        .put("description", "")
        .put("readme", "")
        .put("origin", application.origin())
        .put("url", "")
        .put("featuresRepo", "")
        .put("state", "ACTIVE");
    json.putArray("features");
    json.putArray("permissions");
    json.putArray("requiredApps");
    return json;
  }

  private List<ApplicationId> ids() {
    return core.getAppIds().stream().sorted(Comparator.comparing(ApplicationId::id)).toList();
  }

  private static ObjectNode id(ApplicationId id) {
    return OnosAnswer.object().put("name", id.name()).put("id", id.id());
  }

  private OnosAnswer entry(Call call) {
    ApplicationId found = entry(call.query().get("name"), call.query().get("id"));
    if (found == null) {
      throw RefusedException.missing("Application is not found");
    }
    return OnosAnswer.ok(id(found));
  }

  private @Nullable ApplicationId entry(@Nullable String name, @Nullable String id) {
    if (name != null) {
      return core.getAppId(name);
    }
    Long number = id == null ? null : JsonFields.number(id);
    if (number == null) {
      throw RefusedException.wrong("give name, or id with a number");
    }
    return ids().stream().filter(one -> one.id() == number).findFirst().orElse(null);
  }
}
