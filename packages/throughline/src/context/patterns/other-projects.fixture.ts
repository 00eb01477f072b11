import { forEach, type ProjectText } from "./projects.fixture.ts";

// Projects in other languages, each with endpoints and tests.

const THINGS = ["user", "order", "invoice", "product"];

export const python: ProjectText = {
  ...forEach(
    THINGS,
    "app/routers/NAMEs.py",
    `
from fastapi import APIRouter, Depends, HTTPException
from app.schemas import NameIn, NameOut
from app.db import get_db

router = APIRouter(prefix="/api/NAMEs")

@router.post("/api/NAMEs", response_model=NameOut)
async def create_NAME(NAME: NameIn, db=Depends(get_db)):
    found = await db.find(NAME.id)
    if found is not None:
        raise HTTPException(status_code=409)
    return await db.save(NAME)
`,
  ),
  ...forEach(
    THINGS,
    "tests/test_NAMEs.py",
    `
import pytest

@pytest.mark.parametrize("name", ["a", "b"])
def test_create_NAME(client, name):
    response = client.post("/api/NAMEs", json={"name": name})
    assert response.status_code == 201
`,
  ),
};

export const go: ProjectText = {
  "main.go": `
package main

func routes(mux *http.ServeMux) {
${THINGS.map((name) => `	mux.HandleFunc("POST /api/${name}s", handlers.Create${name})`).join("\n")}
}
`,
  ...forEach(
    THINGS,
    "handlers/NAME.go",
    `
package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func CreateNAME(w http.ResponseWriter, r *http.Request) {
	var input NameInput
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	saved, err := saveName(r.Context(), input)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	json.NewEncoder(w).Encode(saved)
}

func saveName(ctx context.Context, input NameInput) (*Name, error) {
	row, err := db.Insert(ctx, input)
	if err != nil {
		return nil, fmt.Errorf("save NAME: %w", err)
	}
	return row, nil
}
`,
  ),
  ...forEach(
    THINGS,
    "handlers/NAME_test.go",
    `
package handlers

import "testing"

func TestCreateNAME(t *testing.T) {
	tests := []struct{ name string; want int }{{"empty", 400}, {"good", 200}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := call(tt.name); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
`,
  ),
};

export const rust: ProjectText = {
  "src/main.rs": `
mod routes;
fn app() -> Router {
    Router::new()
${THINGS.map((name) => `        .route("/api/${name}s", post(routes::${name}::create_${name}).get(routes::${name}::list_${name}))`).join("\n")}
}
`,
  ...forEach(
    THINGS,
    "src/routes/NAME.rs",
    `
use axum::{extract::State, Json};
use crate::error::AppError;

pub async fn create_NAME(State(app): State<App>, Json(input): Json<NameInput>) -> Result<Json<Name>, AppError> {
    let saved = app.repository.save(input).await?;
    Ok(Json(saved))
}

pub async fn list_NAME(State(app): State<App>) -> Result<Json<Vec<Name>>, AppError> {
    let all = app.repository.all().await?;
    Ok(Json(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn saves_a_NAME() {
        let saved = create_NAME(state(), Json(input())).await.unwrap();
        assert_eq!(saved.0.id, 1);
    }
}
`,
  ),
};

export const java: ProjectText = {
  ...forEach(
    THINGS,
    "src/main/java/shop/NAME/NameController.java",
    `
package shop.NAME;

import jakarta.validation.Valid;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/api/NAMEs")
public class NameController {
  private final NameService service;

  public NameController(NameService service) {
    this.service = service;
  }

  @PostMapping
  public ResponseEntity<NameView> create(@Valid @RequestBody NameInput input) {
    return ResponseEntity.ok(service.create(input));
  }

  @GetMapping("/{id}")
  public ResponseEntity<NameView> show(@PathVariable long id) {
    return ResponseEntity.ok(service.find(id).orElseThrow(() -> new NotFoundException(id)));
  }
}
`,
  ),
  ...forEach(
    THINGS,
    "src/test/java/shop/NAME/NameControllerTest.java",
    `
package shop.NAME;

import org.junit.jupiter.api.Test;
import org.mockito.Mock;

class NameControllerTest {
  @Mock NameService service;

  @Test
  void createsOne() {
    when(service.create(any())).thenReturn(view());
    assertThat(controller.create(input()).getBody()).isEqualTo(view());
  }
}
`,
  ),
};
