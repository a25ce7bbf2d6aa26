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
 * {@code /applications}: those of the node's file. One that is not active is {@code INSTALLED}, as
 * ONOS calls it. Thread-safe.
 */
final class ApplicationEndpoints {
  private final List<OnosApplication> applications;
  private final CoreService core;
  private final ApplicationActivation activation;

  ApplicationEndpoints(
      List<OnosApplication> applications, CoreService core, ApplicationActivation activation) {
    this.applications = applications;
    this.core = core;
    this.activation = activation;
  }

  void addTo(OnosRoutes routes) {
    routes.get(
        "/applications", call -> BoundedList.of("applications", applications, this::application));
    routes.get("/applications/ids", call -> BoundedList.of("ids", ids(), ApplicationEndpoints::id));
    routes.get("/applications/ids/entry", this::entry);
    routes.get("/applications/{name}", call -> OnosAnswer.ok(application(find(call))));
    routes.add("POST", "/applications/{name}/active", call -> activate(call, true));
    routes.add("DELETE", "/applications/{name}/active", call -> activate(call, false));
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

  private CompletableFuture<OnosAnswer> activate(Call call, boolean active) {
    OnosApplication found = find(call);
    return activation
        .set(found.name(), active)
        .thenApply(
            failure ->
                failure
                    .map(why -> OnosAnswer.error(503, why))
                    .orElseGet(
                        () ->
                            active
                                ? OnosAnswer.ok(application(found, true))
                                : OnosAnswer.empty(204)));
  }

  private ObjectNode application(OnosApplication application) {
    return application(application, activation.isActive(application.name()));
  }

  private ObjectNode application(OnosApplication application, boolean active) {
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
        .put("state", active ? "ACTIVE" : "INSTALLED");
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
