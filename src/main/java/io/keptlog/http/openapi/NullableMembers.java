// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.SnakeCase;
import io.swagger.v3.oas.models.media.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Says of each member of a body that may be null that it may: what is Nullable in the code is null in the document. Looks at the classes
 * when the document is made, not before.
 */
final class NullableMembers {
    private static final String ROOM = "io/keptlog/http/dto/";

    private NullableMembers() {}

    /** The library's own map of schemas is of a raw type. */
    @SuppressWarnings({"rawtypes", "unchecked"})
    static void mark(Map<String, Schema> schemas) {
        for (Class<?> body : bodies()) {
            Schema<?> schema = schemas.get(documented(body));
            if (schema == null || schema.getProperties() == null) {
                continue;
            }
            for (RecordComponent member : body.getRecordComponents()) {
                if (member.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    schema.getProperties().computeIfPresent(name(member), (name, property) -> orNull(property));
                }
            }
        }
    }

    /** A class may be called otherwise in the document. */
    private static String documented(Class<?> body) {
        var given = body.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return given == null || given.name().isEmpty() ? body.getSimpleName() : given.name();
    }

    private static String name(RecordComponent member) {
        JsonProperty given = member.getAccessor().getAnnotation(JsonProperty.class);
        return given == null || given.value().isEmpty() ? SnakeCase.of(member.getName()) : given.value();
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static Schema orNull(Schema property) {
        if (property.get$ref() != null) {
            var nothing = new Schema<>();
            nothing.setTypes(Set.of("null"));
            var either = new Schema<>();
            either.setDescription(property.getDescription());
            either.addAnyOfItem(new Schema<>().$ref(property.get$ref()));
            either.addAnyOfItem(nothing);
            return either;
        }
        Set<?> types = property.getTypes();
        if ((types == null && property.getType() == null) || property.getEnum() != null) {
            return property;
        }
        var orNull = new LinkedHashSet<String>();
        if (types == null) {
            orNull.add(property.getType());
        } else {
            types.forEach(t -> orNull.add(t.toString()));
        }
        orNull.add("null");
        property.setTypes(orNull);
        return property;
    }

    private static List<Class<?>> bodies() {
        try {
            var classes = new ArrayList<Class<?>>();
            ClassLoader loader = NullableMembers.class.getClassLoader();
            for (Resource file :
                    new PathMatchingResourcePatternResolver(loader).getResources("classpath*:" + ROOM + "**/*.class")) {
                String path = file.getURL().getPath();
                String name = path.substring(path.lastIndexOf(ROOM), path.length() - ".class".length());
                Class<?> type = Class.forName(name.replace('/', '.'), false, loader);
                if (type.isRecord()) {
                    classes.add(type);
                }
            }
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class of the server is not there", e);
        }
    }
}
